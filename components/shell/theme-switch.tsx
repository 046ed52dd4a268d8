"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { MenuChoices } from "#components/ui/dropdown-menu.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { saveTheme } from "./save-theme.ts";
import { useTheme, type ThemeChoice } from "./theme.ts";

const options = [
  { value: "system", label: "System", icon: <Monitor aria-hidden /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden /> },
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
      label="Theme"
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
      label="Theme"
      value={theme}
      onChange={(value) => {
        choose(asChoice(value));
        saveTheme(asChoice(value));
      }}
      options={options}
    />
  );
}
