var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapGet("/orders/{id}", async (HttpContext ctx) =>
{
  ctx.Response.ContentType = "application/json";
  await ctx.Response.WriteAsync("{\"name\": \"" + ctx.Request.Query["name"] + "\"}");
});

app.Run();
