import { Dialog } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import type { KeySection } from "./key-host.tsx";
import { useMember } from "./member-context.tsx";
import { placesFor } from "./navigation.ts";

export interface KeyHelpProps {
  letters: boolean;
  sections: readonly KeySection[];
  onClose: () => void;
}

export function KeyHelp({ letters, sections, onClose }: KeyHelpProps) {
  const { role } = useMember();
  const everywhere: KeySection[] = [
    {
      title: "On every page",
      rows: [
        ["Open a page, find posts, run a command", "Ctrl K"],
        ["Show all keys", "?"],
      ],
    },
    {
      title: "Go to a page",
      rows: placesFor(role).map(({ label, letter }) => [label, `G ${letter.toUpperCase()}`] as const),
    },
  ];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Keys"
      description={
        letters ? "They work while no text field has the focus and no dialog is open." : "Keys are off"
      }
      width="lg"
      isText
    >
      <div className="flex flex-col gap-5">
        {[...sections, ...everywhere].map((section) => (
          <KeyRows key={section.title} section={section} />
        ))}
      </div>
    </Dialog>
  );
}

function KeyRows({ section: { title, rows } }: { section: KeySection }) {
  return (
    <section>
      <h3 className="text-13 font-medium text-muted">{title}</h3>
      <dl className="grid gap-x-8 desk:grid-cols-2">
        {rows.map(([action, sign]) => (
          <div key={action} className="flex min-h-8 items-center gap-3 border-b border-line/60">
            <dt dir="auto" className="min-w-0 flex-1 py-1 text-14">
              {action}
            </dt>
            <dd className="flex gap-1 text-13 font-medium">
              {sign.split(" ").map((key, at) => (
                <Kbd key={at} className="pointer-coarse:inline-flex">
                  {key}
                </Kbd>
              ))}
              <span className="hidden-visually">{sign}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
