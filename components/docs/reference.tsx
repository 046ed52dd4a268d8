import { Fragment, type ReactNode } from "react";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { CodeBlock } from "#components/ui/copy.tsx";
import {
  curlOf,
  exampleOf,
  fieldsOf,
  targetOf,
  type Endpoint,
  type FieldRow,
  type OpenApi,
  type Response,
  type Schema,
} from "./openapi.ts";

/** Supports paragraphs, `code` and **bold** only. */
export function Markdown({ text }: { text: string }) {
  return text.split(/\n{2,}/).map((paragraph, index) => (
    <p key={index}>
      <InlineMarkdown text={paragraph} />
    </p>
  ));
}

export function InlineMarkdown({ text }: { text: string }): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (part.startsWith("`"))
      return (
        <code key={index} className="rounded-sm bg-wash px-1 font-mono text-12 wrap-anywhere">
          {part.slice(1, -1)}
        </code>
      );
    if (part.startsWith("**")) return <strong key={index}>{part.slice(2, -2)}</strong>;
    return <Fragment key={index}>{part}</Fragment>;
  });
}

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
  const { method, path, operation } = endpoint;
  const { operationId: id, requestBody, parameters = [] } = operation;
  const body = requestBody?.content["application/json"]?.schema;
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
        <code className="font-mono text-13 wrap-anywhere">{path}</code>
      </p>
      <div className="mt-3 flex max-w-3xl flex-col gap-4">
        <div className="flex flex-col gap-2">
          <Markdown text={operation.description ?? ""} />
        </div>
        <FieldTable
          title="Parameters"
          document={document}
          rows={parameters.map((each) => ({
            ...each,
            isRequired: each.required === true,
            description: each.description ?? each.schema.description,
          }))}
        />
        {body ? (
          <FieldTable title="Request body" document={document} rows={fieldsOf(body, document)} />
        ) : null}
        <dl className="text-13">
          {Object.entries(operation.responses).map(([status, response]) => (
            <Answer key={status} status={status} response={response} />
          ))}
        </dl>
        {curl === null ? (
          <p className="text-13 text-muted">Only for signed-in members; API keys are refused.</p>
        ) : (
          <CodeBlock label="curl" code={curl} />
        )}
        {answer === undefined ? null : (
          <details>
            <summary className="min-h-6 w-fit rounded-sm text-13 font-medium text-accent">Answer</summary>
            <CodeBlock
              label="Example answer"
              code={JSON.stringify(exampleOf(answer, document), null, 2)}
              className="my-2"
            />
            <FieldTable title="Fields" document={document} rows={fieldsOf(answer, document)} />
          </details>
        )}
      </div>
    </section>
  );
}

function Answer({ status, response }: { status: string; response: Response }) {
  const contents = Object.values(response.content ?? {});
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
        {contents.flatMap(({ examples = {} }) =>
          Object.entries(examples).map(([code, { value }]) => (
            <span key={code} className="block text-muted">
              {(value as { detail?: string }).detail ?? JSON.stringify(value)}
            </span>
          )),
        )}
        {headers.map(([name, { description = "" }]) => (
          <span key={name} className="block text-muted">
            <code className="font-mono text-12">{name}</code>: <InlineMarkdown text={description} />
          </span>
        ))}
      </dd>
    </div>
  );
}

interface FieldTableProps {
  title: string;
  rows: readonly FieldRow[];
  document: OpenApi;
}

function FieldTable({ title, rows, document }: FieldTableProps) {
  if (rows.length === 0) return null;
  return (
    <table className="w-full table-fixed border-collapse text-13">
      <caption className="pb-1.5 text-start font-semibold">{title}</caption>
      <thead className="hidden-visually">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type and meaning</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, isRequired, description, schema }, index) => (
          <tr key={index} className="border-t border-line max-desk:block">
            <th
              scope="row"
              className="py-1.5 pe-3 text-start align-top font-normal max-desk:block desk:w-2/5"
            >
              <code className="font-mono text-12 font-semibold wrap-anywhere">{name}</code>
              {isRequired ? null : <span className="text-12 text-muted"> optional</span>}
            </th>
            <td className="py-1.5 align-top wrap-anywhere max-desk:block max-desk:pt-0">
              <span className="text-muted">{typeOf(schema, document)}</span>
              {description === undefined ? null : (
                <span className="block">
                  <InlineMarkdown text={description} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** "integer, 1 to 100, default 20" */
function typeOf(given: Schema, document: OpenApi): string {
  const schema = targetOf(given, document);
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, document)).join(" or ");
  const constants = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const types = [schema.type].flat().filter((type) => type !== undefined);
  const name =
    constants?.map((value) => JSON.stringify(value)).join(" or ") ??
    types
      .map((type) => (type === "array" ? `array of ${typeOf(schema.items ?? {}, document)}` : type))
      .join(" or ");
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const preset: unknown = schema.default;
  return [
    name === "" ? "any value" : schema.format === undefined ? name : `${name} (${schema.format})`,
    range(minimum, maximum),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    preset === undefined ? "" : `default ${JSON.stringify(preset)}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function range(from: number | undefined, to: number | undefined, unit = ""): string {
  if (from === undefined) return to === undefined ? "" : `at most ${to}${unit}`;
  return to === undefined ? `at least ${from}${unit}` : `${from} to ${to}${unit}`;
}
