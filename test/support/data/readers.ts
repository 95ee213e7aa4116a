// Readers of what reports write: an XML parser and an HTML parser, and a viewer of SARIF messages. For the tests of sinks.
import { createRequire } from 'node:module';

// Those of @vscode/vsce, which reads manifests and pages with them.
const fromPackager = createRequire(require.resolve('@vscode/vsce/package.json'));

interface XmlParser {
  onopentag: (node: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }) => void;
  ontext: (text: string) => void;
  onerror: (error: Error) => void;
  write(text: string): XmlParser;
  close(): void;
}

const { parser: xmlParser } = createRequire(fromPackager.resolve('xml2js'))('sax') as {
  readonly parser: (strict: boolean) => XmlParser;
};

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The elements of a document in order, and its character data. Throws where it is not well-formed. */
export function readXml(xml: string): { readonly elements: readonly XmlElement[]; readonly text: string } {
  const parser = xmlParser(true);
  const elements: XmlElement[] = [];
  let text = '';
  parser.onopentag = ({ name, attributes }) => void elements.push({ name, attributes });
  parser.ontext = (part) => (text += part);
  parser.onerror = (error) => {
    throw error;
  };
  parser.write(xml).close();
  return { elements, text };
}

/** A plain text message as viewers show it (SARIF 2.1.0, 3.11): each link is `LINK`, each placeholder `PLACEHOLDER`. */
export const readSarifMessage = (text: string): string =>
  text.replace(/\\([\\[\]])|(\[(?:\\.|[^\]\\])*\]\([^)]*\))|(\{\d+\})|(\{\{|\}\})/g, (_all, ...found) => {
    const [escaped, link, placeholder, brace] = found as readonly (string | undefined)[];
    if (link !== undefined) return 'LINK';
    return placeholder !== undefined ? 'PLACEHOLDER' : (escaped ?? brace?.charAt(0) ?? '');
  });

interface HtmlNode {
  readonly tagName?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly HtmlNode[];
  readonly value?: string;
}

interface HtmlLibrary {
  readonly parseFragment: (html: string) => HtmlNode;
  readonly serialize: (node: HtmlNode) => string;
  readonly html: { readonly NS: { readonly HTML: string } };
  readonly defaultTreeAdapter: {
    createElement(tag: string, namespace: string, attributes: readonly never[]): HtmlNode;
    createDocumentFragment(): HtmlNode;
    appendChild(parent: HtmlNode, child: HtmlNode): void;
    insertText(parent: HtmlNode, text: string): void;
    adoptAttributes(element: HtmlNode, attributes: readonly { readonly name: string; readonly value: string }[]): void;
  };
}

const htmlLibrary = createRequire(fromPackager.resolve('cheerio'))('parse5') as HtmlLibrary;
const { defaultTreeAdapter: adapter } = htmlLibrary;

/** As much of an element as a page's builder uses; HTML that it is given is parsed as a browser does. */
class PageElement {
  readonly node: HtmlNode;

  constructor(tag: string) {
    this.node = adapter.createElement(tag, htmlLibrary.html.NS.HTML, []);
  }

  setAttribute(name: string, value: string): void {
    adapter.adoptAttributes(this.node, [{ name, value }]);
  }

  append(...children: readonly (PageElement | string)[]): void {
    for (const child of children)
      if (typeof child === 'string') adapter.insertText(this.node, child);
      else adapter.appendChild(this.node, child.node);
  }

  set innerHTML(html: string) {
    for (const child of htmlLibrary.parseFragment(html).childNodes ?? []) adapter.appendChild(this.node, child);
  }
}

/** The part of a document that a page's builder needs. */
export const pageDocument = { createElement: (tag: string): PageElement => new PageElement(tag) };

/** The elements of a built page in order, its attributes and its words, as a browser reads its HTML. */
export function readHtml(built: unknown): {
  readonly tags: readonly string[];
  readonly attributes: readonly string[];
  readonly words: string;
} {
  const root = adapter.createDocumentFragment();
  adapter.appendChild(root, (built as PageElement).node);
  const nodes = (node: HtmlNode): readonly HtmlNode[] => [node, ...(node.childNodes ?? []).flatMap(nodes)];
  const all = nodes(htmlLibrary.parseFragment(htmlLibrary.serialize(root)));
  return {
    tags: all.flatMap(({ tagName = [] }) => tagName),
    attributes: all.flatMap(({ attrs = [] }) => attrs.map(({ value }) => value)),
    words: all.map(({ value = '' }) => value).join(''),
  };
}
