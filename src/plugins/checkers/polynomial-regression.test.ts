import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import { polynomialRegression } from "./polynomial-regression.ts";

checkerContract(polynomialRegression, modelsScene());
