import { expect, it } from "vitest";
import { tagsBesides } from "./post-facts.tsx";

it("lists hashtags that the text does not show, and blocked ones", () => {
  const html = "<p>A heron, #Birds. <a>#weir</a></p><p>#Ärger!</p>";
  expect(tagsBesides(html, ["birds", "weir", "ärger", "heron"], [])).toEqual(["heron"]);
  expect(tagsBesides(html, ["birds", "weir"], ["weir"])).toEqual(["weir"]);
});
