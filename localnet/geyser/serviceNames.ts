// How the service and its methods are named, known without the descriptors.
import { METHODS, SERVICE } from '../../proto/gen/requests';

/** With which the path of each call begins. */
export const SERVICE_PATH = `/${SERVICE}/`;

/** The methods as usage names them: "geyser.Geyser/GetSlot". */
export const GRPC_METHODS: readonly string[] = Object.keys(METHODS).map((name) => `${SERVICE}/${name}`);
