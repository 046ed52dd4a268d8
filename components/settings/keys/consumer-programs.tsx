import { CodeBlock } from "#components/ui/copy.tsx";
import { consumerInPython } from "./consumer-python.ts";
import { consumerInTypeScript } from "./consumer-typescript.ts";

export function consumerTabs(address: string, key: string) {
  const tab = (value: string, name: string, file: string, command: string, code: string) => ({
    value,
    label: name,
    content: (
      <div className="space-y-3">
        <p className="text-13 text-muted">
          Takes a post, boosts it and reports the result. Pauses between posts, and longer after errors.
        </p>
        <CodeBlock label="Save it and run it" code={`SLUICE_KEY=${key} ${command} ${file}`} />
        <CodeBlock
          label={`A complete boost bot in ${name}: ${file}`}
          code={code}
          className="[&_pre]:max-h-96"
        />
      </div>
    ),
  });
  return [
    tab("typescript", "TypeScript", "consumer.ts", "node", consumerInTypeScript(address)),
    tab("python", "Python", "consumer.py", "python3", consumerInPython(address)),
  ];
}
