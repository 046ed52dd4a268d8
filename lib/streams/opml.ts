import { Parser } from "htmlparser2";
import type { StreamSettings } from "./settings-schema.ts";

/* Lists of feeds, as feed readers exchange them: an outline names the feed of a hashtag on a server. */

type Source = Pick<StreamSettings, "hashtag" | "instance">;

/** Hashtag and server only; OPML has no place for other settings. */
export function writeOpml(streams: readonly Source[]): string {
  const outlines = streams.map(({ hashtag, instance }) => {
    const page = `https://${instance}/tags/${encodeURIComponent(hashtag)}`;
    return `    <outline type="rss" text="${escapeXml(`#${hashtag} on ${instance}`)}" xmlUrl="${escapeXml(`${page}.rss`)}" htmlUrl="${escapeXml(page)}"/>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head><title>Streams</title></head>
  <body>
${outlines.join("")}  </body>
</opml>
`;
}

const escapeXml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

export interface OpmlOutline {
  line: number;
  text: string;
  /** Empty when no address of the outline is that of a hashtag. */
  value: Partial<Source>;
}

/** Outlines with an address; groups of outlines are passed over. Null for another kind of file. */
export function readOpml(text: string): OpmlOutline[] | null {
  const outlines: OpmlOutline[] = [];
  let isOpml = false;
  const parser: Parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === "opml") isOpml = true;
        if (name !== "outline") return;
        const { xmlurl, htmlurl } = lowerCased(attributes);
        const addresses = [xmlurl, htmlurl].filter((address) => address !== undefined);
        if (addresses.length === 0) return;
        const source = addresses.map(sourceOf).find((each) => each !== null);
        outlines.push({
          line: text.slice(0, parser.startIndex).split("\n").length,
          text: addresses[0]?.slice(0, 200) ?? "",
          value: source ?? {},
        });
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  return isOpml ? outlines : null;
}

function lowerCased(attributes: Record<string, string>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]));
}

/** `https://host/tags/cats`, with `.rss` or another ending of a feed, and as Pixelfed's `/discover/tags/cats`. */
function sourceOf(address: string): Source | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  const [, name] = /\/tags?\/([^/]+?)(?:\.(?:rss|atom|json))?\/?$/.exec(url?.pathname ?? "") ?? [];
  if (url === null || name === undefined) return null;
  try {
    return { hashtag: decodeURIComponent(name), instance: url.host };
  } catch {
    return null;
  }
}
