import 'dart:io';

import 'package:shelf/shelf.dart';

const tools = {'gzip': 'gzip', 'zip': 'zip'};

Future<Response> pack(Request request) async {
  final tool = tools[request.url.queryParameters['tool']];
  if (tool == null) return Response.notFound('none');
  await Process.run(tool, ['a.txt']);
  return Response.ok('');
}
