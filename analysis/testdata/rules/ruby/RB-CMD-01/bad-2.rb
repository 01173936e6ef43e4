class ItemsController < ApplicationController
  def show
    branch = params[:branch].strip
    @log = `git log #{branch}` # ← here
  end
end
