using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly Storage storage;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    return Ok(storage.Read(id));
  }
}
