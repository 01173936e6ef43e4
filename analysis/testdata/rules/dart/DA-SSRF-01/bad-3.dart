import 'dart:io';

import 'package:shelf/shelf.dart';

Future<Response> proxy(Request request) async {
  final client = HttpClient();
  final target = Uri.parse(request.headers['x-target']!);
  final call = await client.getUrl(target); // ← here
  return Response.ok(await call.close());
}
