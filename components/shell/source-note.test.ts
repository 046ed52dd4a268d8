import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { SourceNote } from "./source-note.tsx";

const render = (url: string | undefined) => renderToStaticMarkup(createElement(SourceNote, { url }));

describe("SourceNote", () => {
  test("links to the source code", () => {
    expect(render("https://code.example/sluice")).toMatch(
      /<a href="https:\/\/code\.example\/sluice"[^>]*>Source code \(AGPL\)<\/a>/,
    );
  });

  test("names the operator when no address is set", () => {
    expect(render(undefined)).toMatch(/<p[^>]*>Source code \(AGPL\): ask the operator<\/p>/);
  });
});
