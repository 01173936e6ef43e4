import 'dart:io';
import 'package:path/path.dart' as p;
import 'package:shelf/shelf.dart';

Response show(Request request, String page) {
  return Response.ok(File(p.join('pages', p.basename(page))).readAsStringSync());
}
