// A run over responses that lie in files: chains, assertions, repeats and saving see the whole body.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outline } from '../../core/response/outline';
import { JsonScanner } from '../../core/response/scanner';
import type { BodyText, Exchange } from '../../core/run/model';
import { parseDocument } from '../../core/document/document';
