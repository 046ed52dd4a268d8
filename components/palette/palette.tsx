import { Command, defaultFilter } from "cmdk";
import {
  BookOpen,
  CalendarPlus,
  Download,
  Eraser,
  Keyboard,
  KeyRound,
  LogOut,
  Moon,
  Plus,
  Scissors,
  Search,
  Settings,
  Sun,
  UserPlus,
  type LucideIcon,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { openKeyHelp } from "#components/shell/key-host.tsx";
import { useMember } from "#components/shell/member-context.tsx";
import { placesFor } from "#components/shell/navigation.ts";
import { reaches, type Role } from "#components/shell/roles.ts";
import { settingsParts } from "#components/shell/settings-parts.ts";
import { signOutWithMessage } from "#components/shell/sign-out-with-message.ts";
import { setTheme } from "#components/shell/theme-switch.tsx";
import { useFetchAll } from "#components/streams/fetch.tsx";
import { useDialogFocus } from "#components/ui/dialog.tsx";
import { withQuery } from "#lib/client/query-string.ts";

/** The search for posts comes after matching pages and commands. */
const SEARCH = "search";
/** Weaker matches have their letters scattered over the name. */
const MIN_SCORE = 0.1;

const rank: typeof defaultFilter = (value, search, keywords) => {
  if (value === SEARCH) return MIN_SCORE;
  const score = defaultFilter(value, search, keywords);
  return score < MIN_SCORE ? 0 : score;
};

export interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Palette({ open, onOpenChange }: PaletteProps) {
  const focus = useDialogFocus(false);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
        <Dialog.Content
          data-palette=""
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-3 z-50 mx-auto max-w-xl animate-fade-in overflow-hidden rounded-lg border border-line bg-raised text-text shadow-hairline focus-visible:outline-none desk:top-[12vh]"
        >
          <span className="hidden-visually">
            <Dialog.Title>Search or run a command</Dialog.Title>
          </span>
          <PaletteBody onDone={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const query = typed.trim();
  const { places, actions } = useCommands();
  const search = () => router.push(withQuery("/posts", { q: query }));
  const groups: [heading: string, entries: Entry[]][] = [
    ["Go to", places],
    ["Commands", actions],
  ];
  if (query !== "")
    groups.push(["Posts", [{ name: `Posts with “${query}”`, value: SEARCH, icon: Search, run: search }]]);
  const pick = (run: () => void) => () => {
    onDone();
    run();
  };
  return (
    <Command
      label="Search or run a command"
      loop
      filter={rank}
      // A resting mouse would take the selection from the first hit.
      disablePointerSelection
    >
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="Page, command or text of posts"
          maxLength={500}
          className="h-12 min-w-0 flex-1 bg-transparent text-16 placeholder:text-muted focus-visible:outline-none"
        />
      </div>
      <Command.List label="Results" className="max-h-[min(60dvh,26rem)] overflow-y-auto p-1.5">
        {groups.map(([heading, entries]) => (
          <Command.Group key={heading} heading={heading} className={group}>
            {entries.map(({ name, value = name, keywords = "", icon: Icon, run }) => (
              <Command.Item
                key={value}
                value={value}
                keywords={[keywords]}
                onSelect={pick(run)}
                className="flex min-h-control cursor-default items-center gap-2.5 rounded-md px-2 py-1 text-14 hover:bg-wash data-[selected=true]:bg-wash"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-muted" />
                <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

const group =
  "[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:pt-2 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-12 [&>[cmdk-group-heading]]:text-muted";

interface Entry {
  name: string;
  /** Default: the name. */
  value?: string;
  /** Other words that find the entry. */
  keywords?: string;
  icon: LucideIcon;
  run: () => void;
}

const keywords: Readonly<Record<string, string>> = {
  "/": "start dashboard",
  "/review": "desk deck approve reject",
  "/queue": "pending errors runway held topical",
  "/streams": "hashtags fetch",
  "/blocking": "blocklist blocked users",
  "/statistics": "figures numbers charts",
  "/posts": "search list",
  "/settings": "profile account",
  "/settings/installation": "backup retention keep days",
  "/settings/keys": "api keys token",
  "/settings/members": "members invitations reasons",
  "/settings/log": "decisions changes history audit who decided",
  "/settings/checks": "threshold vote rules words learner",
};

function useCommands(): { places: Entry[]; actions: Entry[] } {
  const router = useRouter();
  const { role } = useMember();
  const fetchAll = useFetchAll();
  const go = (href: string) => () => router.push(href);
  const parts = settingsParts.filter(({ href, minRole }) => href !== "/settings" && reaches(role, minRole));
  const places = [...placesFor(role), ...parts.map((part) => ({ icon: Settings, ...part }))];
  const actions: [minRole: Role, name: string, icon: LucideIcon, run: () => void, keywords?: string][] = [
    ["admin", "Fetch all streams", Download, () => void fetchAll.run()],
    ["admin", "Add a stream", Plus, go("/streams?add=1")],
    ["viewer", "Generate an API key", KeyRound, go("/settings/keys#generate"), "token"],
    ["admin", "Invite a member", UserPlus, go("/settings/members")],
    ["admin", "Add a topical rule", CalendarPlus, go("/queue/topical?add=1")],
    ["admin", "Trim pending posts", Scissors, go("/queue?trim=1")],
    ["admin", "Clean up delivered posts", Eraser, go("/queue?cleanup=1")],
    ["viewer", "Show all keys", Keyboard, () => openKeyHelp()],
    ["viewer", "Light theme", Sun, () => setTheme("light"), "appearance mode"],
    ["viewer", "Dark theme", Moon, () => setTheme("dark"), "appearance mode"],
    ["viewer", "API reference", BookOpen, go("/docs"), "documentation"],
    ["viewer", "Sign out", LogOut, signOutWithMessage, "log out"],
  ];
  return {
    places: places.map(({ href, label, icon }) => ({
      name: label,
      icon,
      keywords: keywords[href] ?? "",
      run: go(href),
    })),
    actions: actions
      .filter(([minRole]) => reaches(role, minRole))
      .map(([, name, icon, run, words = ""]) => ({ name, icon, run, keywords: words })),
  };
}
