import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, BundlingOutput, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';

const bundler = fileURLToPath(new URL('bundle-function.ts', import.meta.url));

/**
 * The code of the function whose handler is `entry`, bundled on this machine with esbuild: no container
 * engine is needed. Not `NodejsFunction`: that runs esbuild's command line, which takes no plugins, and
 * without them the bundle is twice the size.
 *
 * Content-addressed by the bundle, so an unchanged function is not deployed again.
 */
export const functionCode = (entry: string): Code =>
  Code.fromAsset(dirname(entry), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the type and never used, since bundling here either works or throws.
      image: DockerImage.fromRegistry('not-used'),
      outputType: BundlingOutput.NOT_ARCHIVED,
      local: {
        tryBundle(folder) {
          execFileSync(process.execPath, [bundler, entry, folder], { stdio: 'inherit' });
          return true;
        },
      },
    },
  });
