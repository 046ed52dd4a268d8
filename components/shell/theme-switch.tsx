"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { useId } from "react";
import { setTheme, useTheme } from "./theme.ts";

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
