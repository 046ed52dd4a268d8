import type { ReactNode } from "react";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { CodeBlock } from "#components/ui/copy.tsx";
import { InlineMarkdown, Markdown } from "./markdown.tsx";
import {
  bodyExample,
  curlOf,
  exampleOf,
  nameOf,
  pretty,
  type Endpoint,
  type OpenApi,
  type Response,
  type Schema,
} from "./openapi.ts";
import { FieldTable, fieldsOf, TypeName } from "./schema-table.tsx";

const places = { path: "path", query: "query", header: "header" } as const;

const tones: Record<string, Tone> = {
  GET: "info",
  POST: "approve",
  PUT: "warn",
  PATCH: "warn",
  DELETE: "reject",
};

export function MethodBadge({ method }: { method: string }) {
  return (
    <Badge tone={tones[method] ?? "neutral"} className="font-mono">
      {method}
    </Badge>
  );
}

export function EndpointSection({ endpoint, document }: { endpoint: Endpoint; document: OpenApi }) {
  const { method, path, base, operation } = endpoint;
  const { operationId: id, requestBody } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  const parameters = operation.parameters ?? [];
  const curl = curlOf(endpoint, document);
  const answer = Object.values(operation.responses)[0]?.content?.["application/json"]?.schema;
  return (
    <section id={id} className="scroll-mt-16 border-t border-line py-6">
      <h2 className="text-16 font-semibold">
        <a href={`#${id}`} className="rounded-sm hover:underline">
          {operation.summary}
        </a>
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-2">
        <MethodBadge method={method} />
        <code className="font-mono text-13 wrap-anywhere">{base + path}</code>
      </p>
      <div className="mt-3 grid gap-x-8 gap-y-4 wide:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          {operation.description ? (
            <div className="flex max-w-prose flex-col gap-2">
              <Markdown text={operation.description} />
            </div>
          ) : null}
          {parameters.length === 0 ? null : (
            <Part title="Parameters">
              <FieldTable
                caption="Parameters"
                rows={parameters.map((each) => ({
                  ...each,
                  note: each.required ? `${places[each.in]}, required` : places[each.in],
                  description: each.description ?? each.schema.description,
                }))}
              />
            </Part>
          )}
          {body === undefined ? null : (
            <Part title={requestBody?.required ? "Request body" : "Request body (optional)"}>
              <Body schema={body} document={document} />
            </Part>
          )}
          <Part title="Responses">
            <dl className="text-13">
              {Object.entries(operation.responses).map(([status, response]) => (
                <Answer key={status} status={status} response={response} />
              ))}
            </dl>
          </Part>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {curl === null ? (
            <p className="text-13 text-muted">Only for signed-in members; API keys are refused.</p>
          ) : (
            <CodeBlock label="curl" code={curl} />
          )}
          {body === undefined ? null : (
            <CodeBlock
              label="Example body"
              code={pretty(bodyExample(endpoint, document))}
              className="max-h-96"
            />
          )}
          {answer === undefined ? null : (
            <details>
              <summary className="min-h-6 w-fit rounded-sm text-13 font-medium text-accent pointer-coarse:py-3">
                Example response
              </summary>
              <CodeBlock
                label="Example response"
                code={pretty(exampleOf(answer, document))}
                className="mt-2"
              />
            </details>
          )}
        </div>
      </div>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1.5 text-13 font-semibold">{title}</h3>
      {children}
    </div>
  );
}

/** Written out, because the reader sends them. */
function Body({ schema, document }: { schema: Schema; document: OpenApi }) {
  const target = schema.$ref === undefined ? schema : document.components.schemas[nameOf(schema.$ref)];
  const rows = fieldsOf(target ?? {});
  if (rows.length === 0) {
    return (
      <p className="text-13">
        <TypeName schema={schema} />
      </p>
    );
  }
  return <FieldTable caption="Request body" rows={rows} />;
}

function Answer({ status, response }: { status: string; response: Response }) {
  const contents = Object.entries(response.content ?? {});
  const headers = Object.entries(response.headers ?? {}).filter(([, { $ref }]) => $ref === undefined);
  return (
    <div className="flex gap-3 border-t border-line py-1.5">
      <dt>
        <Badge tone={status < "300" ? "approve" : status < "500" ? "warn" : "reject"} className="font-mono">
          {status}
        </Badge>
      </dt>
      <dd className="min-w-0 wrap-anywhere">
        {response.description}
        {contents.map(([type, { schema, examples }]) => (
          <span key={type}>
            {examples === undefined ? (
              <span className="text-muted">
                {": "}
                {type === "application/json" ? <TypeName schema={schema} /> : type}
              </span>
            ) : null}
            {Object.entries(examples ?? {}).map(([code, { value }]) => (
              <span key={code} className="block text-muted">
                {(value as { detail?: string }).detail ?? JSON.stringify(value)}
              </span>
            ))}
          </span>
        ))}
        {headers.map(([name, { description = "" }]) => (
          <span key={name} className="block text-muted">
            <code className="font-mono text-12">{name}</code>: <InlineMarkdown text={description} />
          </span>
        ))}
      </dd>
    </div>
  );
}

export function SchemaSection({ name, schema }: { name: string; schema: Schema }) {
  const rows = fieldsOf(schema);
  return (
    <section id={`schema-${name}`} className="scroll-mt-16">
      <h3 className="text-14 font-semibold">{name}</h3>
      {schema.description === undefined ? null : (
        <p className="text-13 text-muted">
          <InlineMarkdown text={schema.description} />
        </p>
      )}
      <div className="mt-1.5 text-13">
        {rows.length > 0 ? <FieldTable caption={name} rows={rows} /> : <TypeName schema={schema} />}
      </div>
    </section>
  );
}
