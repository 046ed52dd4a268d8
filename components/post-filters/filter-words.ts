import { languageName } from "#components/post/post-facts.tsx";
import * as words from "#components/words/desk.ts";
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
  return words.review.timedEvents[happened] ?? happened;
}

const resultNames: Record<string, string> = words.review.checksOptions;

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
      return `${words.review.stream}: ${streamName()}`;
    case "ai_would_reject":
      return `${words.review.checks}: ${yes ? words.review.checksOptions.reject : words.review.checksOptions.fine}`;
    case "ai_result":
      return `${words.review.checks}: ${resultNames[value] ?? value}`;
    case "has_media":
      return yes ? words.review.mediaOptions.with : words.review.mediaOptions.without;
    case "vision_category":
      return `${words.review.pictureCheck}: ${words.review.pictureCategories[value] ?? value}`;
    case "language":
      return `${words.review.language}: ${languageName(value)}`;
    case "author":
      return `${words.review.author}: ${value}`;
    case "instance":
      return `${words.review.instance}: ${value}`;
    case "happened":
      return timeFilterLabel(filters);
    case "since":
    case "until":
      return `${words.review[name](timeFilterLabel(filters))} ${value.slice(0, 10)}`;
    default:
      return `${name}: ${value}`;
  }
}
