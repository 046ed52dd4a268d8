import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { z } from "zod";
import TagPage from "#app/docs/[tag]/page.tsx";
import { openApi } from "#app/docs/document.ts";
import DocsPage from "#app/docs/page.tsx";
import { bodyExample, curlOf, endpointsOf, exampleOf, slugOf } from "#components/docs/openapi.ts";
import { readCurl } from "#tests/setup/curl-lines.ts";

/* The pages of the API reference. */

const document = openApi();

it.each(document.tags.map(({ name }) => name))("has each operation of “%s”", async (tag) => {
  const overview = renderToStaticMarkup(await DocsPage({ searchParams: Promise.resolve({}) }));
  const page = await TagPage({ params: Promise.resolve({ tag: slugOf(tag) }) });
  const markup = renderToStaticMarkup(page);
  for (const { path, operation } of endpointsOf(document, tag)) {
    const id = operation.operationId;
    expect(overview).toContain(`href="/docs/${slugOf(tag)}#${id}"`);
    const section = new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(markup)?.[0];
    expect(section, id).toContain(`${path}</code>`);
    for (const { name } of operation.parameters ?? []) expect(section).toContain(`>${name}</code>`);
    for (const status of Object.keys(operation.responses)) expect(section).toContain(`>${status}</span>`);
  }
});

it("builds examples that fit their schema", () => {
  const { schemas } = document.components;
  for (const name of Object.keys(schemas)) {
    const text = JSON.stringify({ ...schemas[name], example: undefined, $defs: schemas });
    const schema = JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as Parameters<
      typeof z.fromJSONSchema
    >[0];
    const checked = z
      .fromJSONSchema(schema)
      .safeParse(exampleOf({ $ref: `#/components/schemas/${name}` }, document));
    expect(checked.error?.issues ?? [], `example of ${name}`).toEqual([]);
  }
});

it("gives a curl command for each operation that takes an API key, with its example body", () => {
  for (const endpoint of endpointsOf(document)) {
    const curl = curlOf(endpoint, document);
    const { security } = endpoint.operation;
    expect(curl === null).toBe(security.length === 1 && security[0]?.Session !== undefined);
    if (curl === null) continue;
    const request = readCurl(curl.replaceAll("\\\n", ""), { KEY: "k", SERVER: "http://x" });
    expect([request.method, request.headers["X-API-Key"]]).toEqual([
      ...[endpoint.method, security.length > 0 ? "k" : undefined],
    ]);
    const body = bodyExample(endpoint, document);
    expect(request.body === undefined ? undefined : JSON.parse(request.body)).toEqual(body);
  }
});
