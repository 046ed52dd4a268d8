import { mastodonSource } from "./mastodon-source.ts";
import { misskeySource } from "./misskey-source.ts";
import type { HashtagSource, SourceOptions } from "./timeline.ts";

export function hashtagSource(options: SourceOptions): HashtagSource {
  return options.software.family === "misskey" ? misskeySource(options) : mastodonSource(options);
}
