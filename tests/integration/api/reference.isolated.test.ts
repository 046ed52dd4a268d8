import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import TagPage from "#app/docs/[tag]/page.tsx";
import { openApi } from "#app/docs/document.ts";
import DocsPage from "#app/docs/page.tsx";
import { bodyExample, curlOf, endpointsOf, exampleOf, schemasIn, slugOf } from "#components/docs/openapi.ts";
import { words } from "#components/words/en.ts";
import { installation } from "#components/words/en/installation.ts";
import { topical } from "#components/words/en/topical.ts";
import { readCurl } from "#tests/setup/curl-lines.ts";

const document = openApi();
const pageOf = async (tag: string) =>
  renderToStaticMarkup(await TagPage({ params: Promise.resolve({ tag: slugOf(tag) }) }));

describe("the API reference", () => {
  it("names its groups as the screens are named", () => {
    const { shell, servers, settings } = words;
    const screens: string[] = [
      ...[
        shell.queue,
        shell.posts,
        shell.review,
        shell.streams,
        topical.title,
        shell.statistics,
        shell.blocking,
      ],
      ...[servers.title, installation.title],
      ...[settings.checks, settings.keys, settings.members, settings.profile],
    ];
    const withoutScreen = ["Aliases", "Health", "Logs"];
    const named = [...screens, ...withoutScreen];
    expect(document.tags.map(({ name }) => name).sort()).toEqual(named.sort());
  });

  it("lists every operation on its overview, with a link to its description", () => {
    const markup = renderToStaticMarkup(DocsPage());
    const endpoints = endpointsOf(document);
    expect(endpoints.length).toBeGreaterThan(100);
    for (const { operation } of endpoints) {
      const href = `/docs/${slugOf(operation.tags[0] ?? "")}#${operation.operationId}`;
      expect(markup, operation.operationId).toContain(`href="${href}"`);
    }
  });

  it.each(document.tags.map(({ name }) => name))(
    "describes each operation of “%s” with its parameters and responses, and every link on the page has a target",
    async (tag) => {
      const markup = await pageOf(tag);
      for (const { base, path, operation } of endpointsOf(document, tag)) {
        const section = new RegExp(`<section id="${operation.operationId}"[\\s\\S]*?</section>`).exec(
          markup,
        )?.[0];
        expect(section, operation.operationId).toContain(`${base}${path}</code>`);
        for (const { name } of operation.parameters ?? []) expect(section).toContain(`>${name}</code>`);
        for (const status of Object.keys(operation.responses)) expect(section).toContain(`>${status}</span>`);
      }
      const ids = new Set([...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      const targets = [...markup.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target ?? "");
      expect(targets.filter((target) => !ids.has(target))).toEqual([]);
    },
  );

  it("builds examples that fit their schema", () => {
    const { schemas } = document.components;
    for (const name of schemasIn(document.paths, document)) {
      const { example: _example, ...schema } = schemas[name] ?? {};
      const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll(
        "#/components/schemas/",
        "#/$defs/",
      );
      const checked = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]);
      const result = checked.safeParse(exampleOf({ $ref: `#/components/schemas/${name}` }, document));
      expect(result.error?.issues ?? [], `example of ${name}`).toEqual([]);
    }
  });

  it("gives a curl command for each operation that takes an API key, with its example body", () => {
    for (const endpoint of endpointsOf(document)) {
      const curl = curlOf(endpoint, document);
      if (curl === null) continue;
      const line = curl.replaceAll("\\\n", "").replace("${API%/api/v1}", "$SERVER");
      const variables = { API: "http://x/api/v1", KEY: "k", SERVER: "http://x" };
      const request = readCurl(line, variables);
      expect(request.method).toBe(endpoint.method);
      expect(new URL(request.url).pathname).not.toContain("%7B");
      expect(request.headers["X-API-Key"]).toBe(endpoint.operation.security.length > 0 ? "k" : undefined);
      const body = bodyExample(endpoint, document);
      expect(request.body === undefined ? undefined : JSON.parse(request.body)).toEqual(body);
    }
    const member = endpointsOf(document, "Members").find(({ operation }) => operation.security[0]?.Session);
    expect(member && curlOf(member, document)).toBeNull();
  });
});
