import { readerContract } from "../../../test/contracts/reader.ts";
import { dhat, heaptrack, massif } from "./heap-profilers.ts";

const folder = "test/samples/heap-profilers";
const files = { massif: `${folder}/massif.out`, dhat: `${folder}/dhat.json`, heaptrack: `${folder}/heaptrack.txt` };

readerContract(massif, files.massif, [files.dhat, files.heaptrack, `${folder}/heap.c`]);
readerContract(dhat, files.dhat, [files.massif, files.heaptrack, `${folder}/heap.c`]);
readerContract(heaptrack, files.heaptrack, [files.massif, files.dhat, `${folder}/heap.c`]);
