import 'dart:io';

import 'package:shelf/shelf.dart';

Future<Response> handle(Request request) async {
  final tool = request.params['tool']!;
  await Process.start(tool, []); // ← here
  return Response.ok('');
}
