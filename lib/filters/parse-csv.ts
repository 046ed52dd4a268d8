export interface CsvRecord {
  /** Line of the text on which it begins, from 1. */
  line: number;
  cells: string[];
}

/**
 * Records of a comma-separated text (RFC 4180): cells in quotes may hold commas, doubled quotes and line breaks. Empty
 * lines are left out. Nothing is an error: what people paste is read as far as it makes sense.
 */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = "";
  let quoted = false;
  let line = 1;
  let began = 1;
  const endCell = () => {
    cells.push(cell);
    cell = "";
  };
  const endRecord = () => {
    endCell();
    if (cells.some((each) => each.trim() !== "")) records.push({ line: began, cells });
    cells = [];
  };
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  for (let i = 0; i < source.length; i++) {
    const character = source.charAt(i);
    if (character === "\n") line++;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (source.charAt(i + 1) === '"') cell += source.charAt(++i);
      else quoted = false;
    } else if (character === '"' && cell.trim() === "") {
      cell = "";
      quoted = true;
    } else if (character === ",") {
      endCell();
    } else if (character === "\n") {
      endRecord();
      began = line;
    } else {
      cell += character;
    }
  }
  endRecord();
  return records;
}
