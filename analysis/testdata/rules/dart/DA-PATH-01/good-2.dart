import 'dart:io';
import 'package:path/path.dart' as p;
import 'package:shelf/shelf.dart';

Response show(Request request, String page) {
  final path = p.normalize(p.join('pages', page));
  if (!p.isWithin('pages', path)) return Response.forbidden('');
  return Response.ok(File(path).readAsStringSync());
}
