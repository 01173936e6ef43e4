import 'dart:io';
import 'package:path/path.dart' as p;
import 'package:shelf/shelf.dart';

Response show(Request request, String page) {
  final path = p.join('pages', page);
  return Response.ok(File(path).readAsStringSync()); // ← here
}
