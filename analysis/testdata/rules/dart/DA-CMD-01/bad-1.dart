import 'dart:io';

import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final host = request.url.queryParameters['host'];
  final result = await Process.run('ping $host', [], runInShell: true); // ← here
  return Response.ok(result.stdout);
}
