import htmx from "htmx.org";
import { attachCharts, type Charts } from "./attach";

const charts: Charts = {};

htmx.onLoad((part) => void attachCharts(part.parentNode ?? document, charts));
