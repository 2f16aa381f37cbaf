import { embeddedContract, engineContract } from "../../../test/contracts/engine.ts";
import { forgetDatabase, memory, memoryAddress } from "../../../test/fakes/memory-engine.ts";

async function makeScratch() {
  const url = memoryAddress();
  return { url, remove: () => forgetDatabase(url) };
}

engineContract("memory", memory, makeScratch);
embeddedContract("memory", memory, makeScratch);
