import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EndpointSection, SchemaSection } from "#components/docs/endpoint.tsx";
import { InlineMarkdown } from "#components/docs/markdown.tsx";
import { endpointsOf, schemasIn, slugOf } from "#components/docs/openapi.ts";
import { openApi } from "#app/docs/document.ts";

type Props = { params: Promise<{ tag: string }> };

async function findTag({ params }: Props) {
  const { tag: slug } = await params;
  return openApi().tags.find(({ name }) => slugOf(name) === slug);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const tag = await findTag(props);
  return { title: tag === undefined ? "API reference" : `${tag.name} · API reference` };
}

export default async function TagPage(props: Props) {
  const tag = await findTag(props);
  if (tag === undefined) notFound();
  const document = openApi();
  const endpoints = endpointsOf(document, tag.name);
  const names = schemasIn(
    endpoints.map(({ operation }) => operation),
    document,
  );
  return (
    <>
      <h1 className="text-28 font-semibold tracking-tight">{tag.name}</h1>
      <p className="mt-1 mb-4 text-muted">
        <InlineMarkdown text={tag.description ?? ""} />
      </p>
      {endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.operation.operationId} endpoint={endpoint} document={document} />
      ))}
      <h2 className="border-t border-line pt-6 text-20 font-semibold">Objects</h2>
      <div className="mt-3 flex max-w-3xl flex-col gap-6">
        {names.map((name) => (
          <SchemaSection key={name} name={name} schema={document.components.schemas[name] ?? {}} />
        ))}
      </div>
    </>
  );
}
