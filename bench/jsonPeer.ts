// The JSON language service that P1 and P2 compare with, with a schema that chooses by the method's name.
import { METHODS } from '../core/requests/methods';

/** The parts of vscode-json-languageservice used here. */
export interface JsonPeer {
  readonly TextDocument: { create(uri: string, language: string, version: number, text: string): unknown };
  getLanguageService(options: object): {
    configure(settings: object): void;
    parseJSONDocument(document: unknown): unknown;
    doValidation(document: unknown, parsed: unknown): Promise<readonly unknown[]>;
  };
}

/** Returns a function that parses and validates a JSON array of requests. */
export function jsonPeer(module: JsonPeer, text: string): () => Promise<unknown> {
  const requests = METHODS.map(({ name, params }) => ({
    properties: { method: { const: name }, params: { type: 'array', maxItems: params.length } },
    required: ['method'],
  }));
  const json = module.getLanguageService({});
  json.configure({
    validate: true,
    schemas: [{ uri: 'bench://requests', fileMatch: ['*'], schema: { type: 'array', items: { anyOf: requests } } }],
  });
  return () => {
    const document = module.TextDocument.create('file:///bench/requests.json', 'json', 1, text);
    return json.doValidation(document, json.parseJSONDocument(document));
  };
}
