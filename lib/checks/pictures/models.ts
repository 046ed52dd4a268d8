import { createRequire } from "node:module";
import path from "node:path";

/*
 * The classifier: weights out of nsfwjs, run by TensorFlow.js on WebAssembly. Loaded only in the engine process, and on Vercel in
 * the function. The packages are optional and loaded by `require`, so that a build works without them.
 */

/** Classes in the order of the model's output. */
const CLASSES = ["drawing", "hentai", "neutral", "porn", "sexy"] as const;

/** Probabilities; their sum is 1. */
export type Scores = Record<(typeof CLASSES)[number], number>;

/** Width and height of the model's input, in pixels. */
export const INPUT_SIZE = 224;

/** Model and version of the package with its weights. Stored with each result. */
export const ENGINE = "mobilenet_v2_mid@4.3.0";

export type EngineAnswer = { ok: true; scores: Scores } | { ok: false; problem: string };

interface Tensor {
  data: () => Promise<Float32Array>;
  dispose: () => void;
}

interface ModelArtifacts {
  modelTopology: object;
  format: string | undefined;
  weightSpecs: object[];
  weightData: ArrayBuffer;
}

/** The used parts of the packages, whose own types are optional like the packages. */
interface TensorflowPackages {
  "@tensorflow/tfjs-core": {
    setBackend: (name: "wasm") => Promise<boolean>;
    tensor4d: (values: Float32Array, shape: [number, number, number, number]) => Tensor;
  };
  "@tensorflow/tfjs-backend-wasm": { setWasmPaths: (folderWithSeparator: string) => void };
  "@tensorflow/tfjs-converter": {
    loadGraphModel: (handler: { load: () => Promise<ModelArtifacts> }) => Promise<{
      outputs: { name: string }[];
      execute: (input: Tensor, output: string) => Tensor;
    }>;
  };
}

const root = createRequire(path.join(/*turbopackIgnore: true*/ process.cwd(), "package.json"));
const load = <Name extends keyof TensorflowPackages>(name: Name) => root(name) as TensorflowPackages[Name];

let model: ReturnType<typeof loadModel> | undefined;

/**
 * Loads the model at the first use. Never throws.
 *
 * @param pixels red, green and blue of a square of `INPUT_SIZE` pixels
 */
export async function answerOf(pixels: Uint8Array): Promise<EngineAnswer> {
  try {
    model ??= loadModel();
    return { ok: true, scores: await (await model)(pixels) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: problem.split("\n")[0]?.slice(0, 300) ?? "" };
  }
}

async function loadModel(): Promise<(pixels: Uint8Array) => Promise<Scores>> {
  const tensorflow = load("@tensorflow/tfjs-core");
  const { setWasmPaths } = load("@tensorflow/tfjs-backend-wasm");
  setWasmPaths(path.dirname(root.resolve("@tensorflow/tfjs-backend-wasm")) + path.sep);
  if (!(await tensorflow.setBackend("wasm"))) throw new Error("WebAssembly could not be started.");
  const artifacts = readArtifacts("mobilenet_v2_mid", 2);
  const graph = await load("@tensorflow/tfjs-converter").loadGraphModel({
    load: () => Promise.resolve(artifacts),
  });
  const output = graph.outputs[0]?.name ?? "";
  return async (pixels) => {
    const values = new Float32Array(pixels.length);
    // A loop, because Float32Array.from takes 15 times as long.
    for (let index = 0; index < values.length; index++) values[index] = (pixels[index] ?? 0) / 255;
    const input = tensorflow.tensor4d(values, [1, INPUT_SIZE, INPUT_SIZE, 3]);
    const scores = graph.execute(input, output);
    try {
      return readScores(await scores.data());
    } finally {
      for (const tensor of [input, scores]) tensor.dispose();
    }
  };
}

/**
 * Reads the files themselves: nsfwjs loads all of TensorFlow.js, and its CommonJS entry makes a property of each character
 * of the weights (1.6 GB).
 */
function readArtifacts(name: string, shards: number): ModelArtifacts {
  const folder = path.join(path.dirname(root.resolve("nsfwjs")), "..", "models", name);
  const read = (file: string): unknown => {
    const id = path.join(folder, file);
    const content: unknown = root(id);
    // Frees the text of the weights.
    Reflect.deleteProperty(root.cache, id);
    return content;
  };
  const json = read("model.min.js") as {
    modelTopology: object;
    format?: string;
    weightsManifest: { weights: object[] }[];
  };
  const weights = Buffer.concat(
    Array.from({ length: shards }, (_, n) =>
      Buffer.from(read(`group1-shard${n + 1}of${shards}.min.js`) as string, "base64"),
    ),
  );
  return {
    modelTopology: json.modelTopology,
    format: json.format,
    weightSpecs: json.weightsManifest.flatMap((each) => each.weights),
    weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength),
  };
}

function readScores(values: ArrayLike<number>): Scores {
  const named = CLASSES.map((name, index) => [name, values[index]] as const);
  if (values.length !== CLASSES.length || named.some(([, value]) => !Number.isFinite(value))) {
    throw new Error("The model gave no probabilities.");
  }
  return Object.fromEntries(named) as Scores;
}
