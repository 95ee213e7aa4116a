// Work that the user watches in a notification and can cancel there.
import * as vscode from 'vscode';

type Report = vscode.Progress<{ readonly message: string }>;

export const cancellable = <T>(
  title: string,
  work: (token: vscode.CancellationToken, report: Report) => Promise<T>,
): Thenable<T> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (report, token) => work(token, report),
  );
