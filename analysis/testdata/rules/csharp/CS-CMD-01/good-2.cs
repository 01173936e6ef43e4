var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (int width) =>
{
  Process.Start("convert", $"-resize {width} photo.png");
  return Results.Ok();
});

app.Run();
