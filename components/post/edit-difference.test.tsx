import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { EditDifference } from "./edit-difference.tsx";

const version = {
  content: "<p>A heron</p>",
  spoiler_text: null,
  sensitive: false,
  media: [{ type: "image", url: "https://a.example/1.jpg", description: "a heron" }],
  poll: null,
};
const shown = (after: object) =>
  renderToStaticMarkup(
    <EditDifference
      edit={{ at: "2026-05-01T10:00:00.000Z", before: version, after: { ...version, ...after } }}
    />,
  )
    .replace(/<time.*?<\/time>/g, "")
    .replace(/<[^>]*>/g, "");

describe("the difference of an edit", () => {
  it.each<[string, object, string]>([
    ["a warning", { spoiler_text: "coins" }, "Content warning:  [added: coins"],
    ["the text", { content: "<p>A swan</p>" }, "A  [removed: heron]  [added: swan"],
    [
      "an alt text",
      { media: [{ ...version.media[0], description: "a coin" }] },
      "Alt text: a  [removed: heron]  [added: coin",
    ],
    ["a poll", { poll: ["yes", "no"] }, "Poll:  [added: yes\nno"],
    ["the sensitive mark", { sensitive: true }, "Mark:  [added: "],
    [
      "a picture",
      { media: [{ ...version.media[0], url: "https://a.example/2.jpg" }] },
      "Media were replaced or described anew",
    ],
    ["a removed picture", { media: [] }, "Media: 1 before, 0 after"],
    ["markup only", { content: "<p>A <b>heron</b></p>" }, "Same text"],
  ])("names %s", (_name, after, text) => {
    expect(shown(after)).toContain(text);
  });
});
