import { CodeBlock } from "#components/ui/copy.tsx";
import { words } from "#components/words/en.ts";
import { consumerInPython } from "./consumer-python.ts";
import { consumerInTypeScript } from "./consumer-typescript.ts";

const w = words.settings;

export function consumerTabs(address: string, key: string) {
  const tab = (value: string, name: string, file: string, command: string, code: string) => ({
    value,
    label: name,
    content: (
      <div className="space-y-3">
        <p className="text-13 text-muted">{w.programHint}</p>
        <CodeBlock label={w.runIt} code={`SLUICE_KEY=${key} ${command} ${file}`} />
        <CodeBlock label={`${w.program(name)}: ${file}`} code={code} className="[&_pre]:max-h-96" />
      </div>
    ),
  });
  return [
    tab("typescript", w.typescript, "consumer.ts", "node", consumerInTypeScript(address)),
    tab("python", w.python, "consumer.py", "python3", consumerInPython(address)),
  ];
}
