var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (HttpContext ctx) =>
{
  ctx.Response.Redirect(ctx.Request.Query["next"]); // ← here
});

app.Run();
