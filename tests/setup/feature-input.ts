import { featureNames } from "#lib/checks/learner/features.ts";
import type { PostText } from "#lib/checks/results/post-text.ts";
import { readPost } from "#lib/checks/rules/read-text.ts";

/** A post without any feature. */
export const blankText: PostText = {
  uri: "https://home.example/1",
  content: "",
  plain_text: "",
  spoiler_text: null,
  hashtags: [],
  media: [],
  language: null,
  sensitive: false,
  author_key: "ana@home.example",
  author_is_bot: false,
  author_created_at: null,
  instance: "home.example",
  created_at: new Date(0),
  in_reply_to: null,
  stream_hashtag: null,
};

/** Features of a post that differs from the blank one. */
export function featuresOf(change: Partial<PostText>, rules: readonly string[] = []): string[] {
  const post = { ...blankText, ...change };
  return featureNames(
    post,
    readPost(post),
    rules.map((name) => ({ name, reason: "" })),
  );
}
