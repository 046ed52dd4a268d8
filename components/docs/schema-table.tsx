import { Fragment, type ReactNode } from "react";
import { InlineMarkdown } from "./markdown.tsx";
import { nameOf, type Schema } from "./openapi.ts";

const range = (from: number | undefined, to: number | undefined, unit = "") => {
  const text =
    from === undefined
      ? to === undefined
        ? ""
        : `at most ${to}`
      : to === undefined
        ? `at least ${from}`
        : from === to
          ? `${from}`
          : `${from} to ${to}`;
  return text === "" || unit === "" ? text : `${text} ${unit}`;
};

export interface FieldRow {
  name: string;
  note: string;
  description?: string | undefined;
  schema: Schema;
}

export function FieldTable({ caption, rows }: { caption: string; rows: readonly FieldRow[] }) {
  return (
    <table className="w-full table-fixed border-collapse text-13">
      <caption className="hidden-visually">{caption}</caption>
      <thead className="hidden-visually">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type and meaning</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, note, description, schema }) => (
          <tr key={`${note} ${name}`} className="border-t border-line max-desk:block">
            <th
              scope="row"
              className="py-1.5 pe-3 text-start align-top font-normal max-desk:block desk:w-2/5"
            >
              <code className="font-mono text-12 font-semibold wrap-anywhere">{name}</code>{" "}
              <span className="text-12 text-muted">{note}</span>
            </th>
            <td className="py-1.5 align-top wrap-anywhere max-desk:block max-desk:pt-0">
              <span className="text-muted">
                <TypeName schema={schema} />
                {limitsOf(schema)}
              </span>
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

/** Nested fields: `outer.inner`, `outer[].inner`. */
export function fieldsOf(schema: Schema, prefix = ""): FieldRow[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, each]) => {
    const name = prefix + key;
    const choices = each.anyOf ?? [each];
    const inner = choices.flatMap((choice) => {
      if (choice.properties) return fieldsOf(choice, `${name}.`);
      return choice.items?.properties ? fieldsOf(choice.items, `${name}[].`) : [];
    });
    const row = {
      name,
      note: required.has(key) ? "" : "optional",
      description: each.description,
      schema: each,
    };
    return [row, ...inner];
  });
}

export function TypeName({ schema }: { schema: Schema }): ReactNode {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return (
      <a href={`#schema-${name}`} className="rounded-sm text-accent underline decoration-accent/40">
        {name}
      </a>
    );
  }
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((each, index) => (
      <Fragment key={index}>
        {index === 0 ? null : " or "}
        <TypeName schema={each} />
      </Fragment>
    ));
  }
  const constants = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (constants !== undefined) {
    return constants.map((value, index) => (
      <Fragment key={index}>
        {index === 0 ? null : " or "}
        <code className="font-mono text-12">{JSON.stringify(value)}</code>
      </Fragment>
    ));
  }
  const types = [schema.type].flat().filter((type) => type !== undefined);
  if (types[0] === "array") {
    return (
      <>
        array of <TypeName schema={schema.items ?? {}} />
        {types.length > 1 ? " or " + types.slice(1).join(" or ") : null}
      </>
    );
  }
  return (types.join(" or ") || "any value") + (schema.format === undefined ? "" : ` (${schema.format})`);
}

/** ", 1 to 100, default 20" */
function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: preset } = schema;
  const parts = [
    range(minimum, maximum),
    range(minLength, maxLength, "characters"),
    range(minItems, maxItems, "items"),
    preset === undefined ? "" : `default ${JSON.stringify(preset)}`,
  ];
  return parts
    .filter((part) => part !== "")
    .map((part) => `, ${part}`)
    .join("");
}
