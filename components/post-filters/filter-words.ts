import { checkResults, pictureCategories, timedEvents } from "#components/words.ts";
import { languageName } from "#components/post/post-facts.tsx";
import type { FilterName, Filters } from "#lib/client/desk/post-filters.ts";

export interface StreamChoice {
  id: number;
  hashtag: string;
  instance: string;
}

export interface MemberName {
  id: number;
  name: string;
}

export function timeFilterLabel({ happened = "created" }: Filters): string {
  return timedEvents[happened] ?? happened;
}

const resultNames: Record<string, string> = checkResults;

/** "Language: German". */
export function filterWords(name: FilterName, filters: Filters, streams: readonly StreamChoice[]): string {
  const value = filters[name] ?? "";
  const yes = /^(true|1|yes)$/i.test(value);
  const streamName = () => {
    const stream = streams.find((each) => String(each.id) === value);
    return stream ? `#${stream.hashtag} · ${stream.instance}` : value;
  };
  switch (name) {
    case "q":
      return `“${value}”`;
    case "stream_id":
    case "seen_in":
      return `Stream: ${streamName()}`;
    case "ai_would_reject":
      return `Check result: ${yes ? "Would reject" : "No problem"}`;
    case "ai_result":
      return `Check result: ${resultNames[value] ?? value}`;
    case "has_media":
      return yes ? "With media" : "Without media";
    case "vision_category":
      return `Picture check: ${pictureCategories[value] ?? value}`;
    case "language":
      return `Language: ${languageName(value)}`;
    case "author":
      return `Author: ${value}`;
    case "instance":
      return `Server: ${value}`;
    case "happened":
      return timeFilterLabel(filters);
    case "since":
    case "until":
      return `${timeFilterLabel(filters)} ${name === "since" ? "from" : "until"} ${value.slice(0, 10)}`;
    default:
      return `${name}: ${value}`;
  }
}
