// The HTML of a panel's page: our own bundle under a policy that loads nothing else and runs no other script. Holds no
// text from outside. Pure.

export interface PageParts {
  /** Where styles may come from, as a source of the policy. */
  readonly styles: string;
  /** A fresh one for each page. */
  readonly nonce: string;
  readonly language: string;
  readonly scriptUrl: string;
  readonly styleUrl: string;
}

export function pageHtml({ styles, nonce, language, scriptUrl, styleUrl }: PageParts): string {
  const policy = `default-src 'none'; style-src ${styles}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Solana RPC</title>
<link rel="stylesheet" href="${styleUrl}">
</head>
<body>
<main id="page"></main>
<script nonce="${nonce}" src="${scriptUrl}"></script>
</body>
</html>`;
}
