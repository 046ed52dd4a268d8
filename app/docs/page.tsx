import type { Metadata } from "next";
import NextLink from "next/link";
import { endpointsOf, slugOf, type Endpoint } from "#components/docs/openapi.ts";
import { plural } from "#components/format.ts";
import { InlineMarkdown, Markdown, MethodBadge } from "#components/docs/reference.tsx";
import { CodeBlock } from "#components/ui/copy.tsx";
import { Link } from "#components/ui/link.tsx";
import { env } from "#lib/base/env.ts";
import { openApi } from "./document.ts";

const schemes = {
  ApiKey: "X-API-Key header",
  Bearer: "Authorization: Bearer",
  Session: "Session cookie",
} as Readonly<Record<string, string>>;

export const metadata: Metadata = { title: "API reference" };

type Props = { searchParams: Promise<{ q?: string | string[] }> };

export default async function DocsPage({ searchParams }: Props) {
  const document = openApi();
  const { info, components, servers } = document;
  const search = [(await searchParams).q ?? ""].flat()[0] ?? "";
  return (
    <>
      <h1 className="text-28 font-semibold tracking-tight">API reference</h1>
      <p className="mt-1 text-13 text-muted">
        Version {info.version} ·{" "}
        <a href={`${servers[0]?.url ?? ""}/openapi.json`} className="text-accent underline">
          OpenAPI 3.1 document
        </a>
      </p>
      <div className="mt-4 flex max-w-prose flex-col gap-3">
        <Markdown text={info.description} />
      </div>
      <h2 className="mt-8 text-20 font-semibold">Authentication</h2>
      <dl className="mt-2 max-w-prose text-13">
        {Object.entries(components.securitySchemes).map(([name, { description = "" }]) => (
          <div key={name} className="border-t border-line py-1.5">
            <dt className="font-mono text-12 font-semibold">{schemes[name] ?? name}</dt>
            <dd>
              <InlineMarkdown text={description} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 mb-2">The curl commands of this reference use two variables:</p>
      <CodeBlock
        label="Shell variables"
        code={`SERVER=${env().PUBLIC_URL}\nKEY=slc_…`}
        className="max-w-prose"
      />
      <h2 id="operations" className="mt-8 scroll-mt-16 text-20 font-semibold">
        All operations
      </h2>
      {search === "" ? (
        document.tags.map(({ name, description = "" }) => (
          <section key={name} aria-labelledby={slugOf(name)} className="mt-5">
            <h3 id={slugOf(name)} className="text-16 font-semibold">
              <Link href={`/docs/${slugOf(name)}`} tone="plain" prefetch={false}>
                {name}
              </Link>
            </h3>
            <p className="text-13 text-muted">
              <InlineMarkdown text={description} />
            </p>
            <Operations endpoints={endpointsOf(document, name)} />
          </section>
        ))
      ) : (
        <SearchResults endpoints={searchEndpoints(endpointsOf(document), search)} search={search} />
      )}
    </>
  );
}

/** Endpoints that contain all words. Those with the words in their path come first. */
function searchEndpoints(endpoints: readonly Endpoint[], search: string): Endpoint[] {
  const words = search.toLowerCase().split(/\s+/);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const isNamed = ({ method, path }: Endpoint) => has(`${method} ${path}`);
  return endpoints
    .filter(({ method, path, operation: { summary, description = "", tags } }) =>
      has([method, path, summary, description, ...tags].join(" ")),
    )
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
}

function SearchResults({ endpoints, search }: { endpoints: readonly Endpoint[]; search: string }) {
  return (
    <>
      <p role="status" className="mt-1 text-13 text-muted">
        {endpoints.length === 0
          ? "No operation matches"
          : plural(endpoints.length, "operation matches", "operations match")}{" "}
        “<bdi>{search}</bdi>”
      </p>
      <Operations endpoints={endpoints} />
    </>
  );
}

function Operations({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return (
    <ul className="mt-1.5">
      {endpoints.map(({ method, path, operation: { operationId, summary, tags } }) => (
        <li key={operationId} className="border-t border-line">
          <NextLink
            href={`/docs/${slugOf(tags[0] ?? "")}#${operationId}`}
            prefetch={false}
            className="flex flex-wrap items-center gap-x-3 gap-y-0.5 rounded-sm py-1.5 text-13 hover:bg-wash"
          >
            <span className="w-16">
              <MethodBadge method={method} />
            </span>
            <code className="font-mono text-12 wrap-anywhere desk:w-80">{path}</code>
            <span className="text-muted">{summary}</span>
          </NextLink>
        </li>
      ))}
    </ul>
  );
}
