"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { useId, useSyncExternalStore } from "react";
import { savePreferences } from "#app/(console)/settings/actions.ts";
import { runAction } from "#components/ui/action-form.tsx";
import { notifyFailed } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";

type ThemeChoice = "system" | "light" | "dark";

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function read(): ThemeChoice {
  const set = document.documentElement.dataset.theme;
  return set === "light" || set === "dark" ? set : "system";
}

/** Applies a theme at once and saves it in the profile, which the root layout reads. */
export function setTheme(theme: ThemeChoice): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  runAction(savePreferences, { theme }).catch((thrown: unknown) =>
    notifyFailed("The theme was not saved", asFailure(thrown)),
  );
}

function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, read, () => "system");
}

const options = [
  { value: "system", label: "System", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
] as const;

export function ThemeSwitch() {
  const name = useId();
  const theme = useTheme();
  return (
    <div
      role="radiogroup"
      aria-label="Theme"
      className="inline-flex h-control-sm w-fit max-w-full rounded-md border border-line-strong bg-surface p-0.5 slim:h-auto slim:flex-wrap"
    >
      {options.map(({ value, label, icon: Icon }) => (
        <label
          key={value}
          className="relative inline-flex items-center gap-1.5 rounded-sm px-2.5 text-13 font-medium text-muted transition-colors hover:text-text has-checked:bg-accent-quiet has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={value}
            className="absolute inset-0 appearance-none outline-none"
            checked={value === theme}
            onChange={() => setTheme(value)}
          />
          <Icon aria-hidden className="size-4" />
          {label}
        </label>
      ))}
    </div>
  );
}
