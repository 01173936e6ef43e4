class ItemsController < ApplicationController
  def show
    cmd = "tar czf backup.tgz "
    cmd << params[:folder]
    system("sh", "-c", cmd) # ← here
  end
end
