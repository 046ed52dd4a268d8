import { expect, test, vi } from "vitest";
import { openaiModeration } from "./openai-moderation.ts";
import type { RemoteInput } from "./provider.ts";

const image = { mime: "image/jpeg", bytes: new Uint8Array([0xff, 0xd8]) } as const;
const input = (text: string, pictures: number): RemoteInput => ({
  text: { content_warning: "", text, picture_descriptions: [] },
  images: Array.from({ length: pictures }, () => image),
  context: { hashtag: null, language: null, question: null },
});
const scores = (category_scores: object) => ({ model: "m", results: [{ category_scores }] });
const scoreOf = async (category: string) => {
  const { labels } = await openaiModeration.classify(input("a", 0), () =>
    Promise.resolve(scores({ [category]: 0.8 })),
  );
  return labels.filter(({ score }) => score > 0).map(({ name }) => name);
};

test.each([
  ["sexual", "explicit"],
  ["sexual/minors", "explicit"],
  ["violence/graphic", "graphic"],
  ["self-harm/instructions", "graphic"],
  ["hate/threatening", "hateful"],
  ["harassment", "other_unsafe"],
  ["violence", "other_unsafe"],
  ["illicit/violent", "other_unsafe"],
  ["a category of next year", "other_unsafe"],
])("%s counts as %s", async (category, label) => {
  expect(await scoreOf(category)).toEqual([label]);
});

test("each request has one picture, and the highest score of all counts", async () => {
  const send = vi
    .fn<(path: string, body: object) => Promise<unknown>>()
    .mockResolvedValueOnce(scores({ sexual: 0.1, hate: 0.4 }))
    .mockResolvedValueOnce(scores({ sexual: 0.9, hate: 0 }));
  const { labels } = await openaiModeration.classify(input("Hello", 2), send);
  expect(labels).toEqual([
    { name: "explicit", score: 0.9 },
    { name: "graphic", score: 0 },
    { name: "hateful", score: 0.4 },
    { name: "other_unsafe", score: 0 },
  ]);
  const picture = { type: "image_url", image_url: { url: "data:image/jpeg;base64,/9g=" } };
  expect(send.mock.calls).toEqual([
    ["/moderations", { model: "omni-moderation-latest", input: [{ type: "text", text: "Hello" }, picture] }],
    ["/moderations", { model: "omni-moderation-latest", input: [picture] }],
  ]);
});

test.each([
  ["no scores", scores({})],
  ["a text", "flagged"],
  ["a score above 1", scores({ sexual: 7 })],
  ["a score that is text", scores({ sexual: "0.5" })],
  ["no result", { results: [] }],
])("an answer with %s is a failure", async (_, answer) => {
  await expect(openaiModeration.classify(input("a", 0), () => Promise.resolve(answer))).rejects.toMatchObject(
    { kind: "nonsense" },
  );
});
