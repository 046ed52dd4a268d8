"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { MenuChoices } from "#components/ui/dropdown-menu.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { words } from "#components/words/en.ts";
import { saveTheme } from "./save-theme.ts";
import { useTheme, type ThemeChoice } from "./theme.ts";

const options = [
  { value: "system", label: words.shell.themeSystem, icon: <Monitor aria-hidden /> },
  { value: "light", label: words.shell.themeLight, icon: <Sun aria-hidden /> },
  { value: "dark", label: words.shell.themeDark, icon: <Moon aria-hidden /> },
] as const;

function asChoice(value: string): ThemeChoice {
  return value === "light" || value === "dark" ? value : "system";
}

export interface ThemeSwitchProps {
  onChange?: (choice: ThemeChoice) => void;
}

export function ThemeSwitch({ onChange }: ThemeSwitchProps) {
  const [theme, choose] = useTheme();
  return (
    <SegmentedControl
      label={words.shell.theme}
      options={options}
      value={theme}
      onChange={(value) => {
        choose(asChoice(value));
        onChange?.(asChoice(value));
      }}
    />
  );
}

export function ThemeMenuChoices() {
  const [theme, choose] = useTheme();
  return (
    <MenuChoices
      label={words.shell.theme}
      value={theme}
      onChange={(value) => {
        choose(asChoice(value));
        saveTheme(asChoice(value));
      }}
      options={options}
    />
  );
}
