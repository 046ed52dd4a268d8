/* Reads the extras that lib/fediverse stores. Foreign data must not break the page. */

export interface Poll {
  options: { title: string; votes: number | null }[];
  multiple: boolean;
  expired: boolean;
  expires_at: string | null;
  votes: number;
  /** With multiple choice fewer than votes. */
  voters: number | null;
}

type Json = Record<string, unknown>;

export function readPoll(value: Json | null): Poll | null {
  if (!Array.isArray(value?.options) || value.options.length === 0) return null;
  const options = (value.options as unknown[]).map((option) => {
    const { title, votes } = (typeof option === "object" && option !== null ? option : {}) as Json;
    return { title: text(title), votes: typeof votes === "number" ? votes : null };
  });
  return {
    options,
    multiple: value.multiple === true,
    expired: value.expired === true,
    expires_at: text(value.expires_at) || null,
    votes: typeof value.votes === "number" ? value.votes : 0,
    voters: typeof value.voters === "number" ? value.voters : null,
  };
}

export interface Quote {
  url: string | null;
  account: string;
  name: string;
  /** Sanitised HTML. */
  content: string;
}

export function readQuote(value: Json | null): Quote | null {
  if (value === null) return null;
  const { url, uri, account, name, content } = value;
  return {
    url: webAddress(url) ?? webAddress(uri),
    account: text(account),
    name: text(name),
    content: text(content),
  };
}

export function readCard(
  value: Json | null,
): { url: string; title: string; description: string; provider: string } | null {
  const url = webAddress(value?.url);
  if (value === null || url === null) return null;
  return {
    url,
    title: text(value.title),
    description: text(value.description),
    provider: text(value.provider_name) || new URL(url).host,
  };
}

/** http(s) only, never a script address. */
function webAddress(value: unknown): string | null {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
