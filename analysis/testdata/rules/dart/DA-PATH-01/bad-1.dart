import 'dart:io';

import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final name = request.url.queryParameters['name'];
  return Response.ok(await File('uploads/$name').readAsString()); // ← here
}
