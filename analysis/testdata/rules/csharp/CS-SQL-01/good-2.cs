using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly IDbConnection connection;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var rows = await connection.QueryAsync<Order>("select * from orders where name = @name", new { name = Request.Query["name"].ToString() });
    return Ok(rows);
  }
}
