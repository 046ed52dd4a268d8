import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { endpointsOf, slugOf } from "#components/docs/openapi.ts";
import { EndpointSection, InlineMarkdown } from "#components/docs/reference.tsx";
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
  return (
    <>
      <h1 className="text-28 font-semibold tracking-tight">{tag.name}</h1>
      <p className="mt-1 mb-4 text-muted">
        <InlineMarkdown text={tag.description ?? ""} />
      </p>
      {endpointsOf(document, tag.name).map((endpoint) => (
        <EndpointSection key={endpoint.operation.operationId} endpoint={endpoint} document={document} />
      ))}
    </>
  );
}
